/*
 * agent.h - the agents of a sweep: this program, run with --agent DIR KIND.
 *
 *   work     a little; the second fails, the third says that it is finished
 *   wait     until DIR/goI is there; iteration 2 and later ones say that they are finished
 *   daemon   a little, with a child that leaves its session and stays
 *
 * Every agent tells DIR/agents when it starts and when it ends, and complains there
 * when another one is at work.
 */
#ifndef FAULT_AGENT_H
#define FAULT_AGENT_H

int agent_main(const char *dir, const char *kind);

#endif
