/*
 * worker.h - who works on tickets and tasks of a graph in a sweep: this program, too.
 *
 *   sweep --worker DIR TICKET   in the ticket's tree: writes TICKET.txt, closes the
 *                               ticket, commits nothing; the one named FAILING ends with exit
 *                               code 1 instead
 *   sweep --grapher DIR RALPH   the agent of a graph's task: completes it with that program
 *   sweep --shoot DIR POINT     as the verify command: kill -9, once in DIR, of those that
 *                               POINT names (enum shot, a sum of them) among the processes
 *                               that wait for it
 *
 * Every worker tells DIR/agents when it starts and when it ends ("start TICKET PID"), and
 * complains there ("overlap") when another one works on the same ticket or component.
 */
#ifndef FAULT_WORKER_H
#define FAULT_WORKER_H

#define FAILING "web-1" /* TICKET is COMPONENT-NUMBER */

enum shot { SHOT_LANDING = 1, SHOT_WATCHER = 2, SHOT_SUPERVISOR = 4, SHOTS = 8 };

int worker_main(const char *dir, const char *ticket);
int grapher_main(const char *dir, const char *ralph);
int shoot_main(const char *dir, const char *point);

#endif
