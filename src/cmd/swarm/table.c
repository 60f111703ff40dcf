/*
 * table.c - what the program can do when it is called `swarm`.
 */
#include "cmd/cmd.h"

extern const struct cmd cmd_swarm_ls, cmd_swarm_status, cmd_swarm_logs, cmd_peek,
    cmd_swarm_attach, cmd_swarm_send, cmd_interrupt, cmd_eof, cmd_swarm_wait, cmd_swarm_init,
    cmd_swarm_ralph_init, cmd_swarm_ralph_template, cmd_swarm_ralph_status,
    cmd_swarm_ralph_list, cmd_swarm_ralph_ls, cmd_swarm_ralph_logs;
extern const struct cmd cmd_spawn, cmd_kill, cmd_clean, cmd_respawn, cmd_heartbeat,
    cmd_swarm_ralph_spawn, cmd_swarm_ralph_pause, cmd_swarm_ralph_resume, cmd_swarm_ralph_stop,
    cmd_swarm_ralph_run, cmd_swarm_ralph_clean;
extern const struct cmd cmd_swarm_ralph, cmd_help_entry;

const struct cmd *const swarm_commands[] = {
    &cmd_spawn,
    &cmd_swarm_ls,
    &cmd_swarm_status,
    &cmd_swarm_logs,
    &cmd_peek,
    &cmd_swarm_attach,
    &cmd_swarm_send,
    &cmd_interrupt,
    &cmd_eof,
    &cmd_swarm_wait,
    &cmd_kill,
    &cmd_respawn,
    &cmd_clean,
    &cmd_heartbeat,
    &cmd_swarm_init,
    &cmd_swarm_ralph,
    &cmd_swarm_ralph_init,
    &cmd_swarm_ralph_template,
    &cmd_swarm_ralph_status,
    &cmd_swarm_ralph_list,
    &cmd_swarm_ralph_ls,
    &cmd_swarm_ralph_logs,
    &cmd_swarm_ralph_spawn,
    &cmd_swarm_ralph_pause,
    &cmd_swarm_ralph_resume,
    &cmd_swarm_ralph_run,
    &cmd_swarm_ralph_stop,
    &cmd_swarm_ralph_clean,
    &cmd_help_entry,
    NULL,
};
