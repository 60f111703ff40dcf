/*
 * main.c - the command table and dispatch live in cmd/; a keeper starts here too.
 */
#include "cmd/cmd.h"

int
main(int argc, char **argv)
{
	return cmd_main(argc, argv);
}
