#!/usr/bin/env bash
# Tickets that share a component never run at the same time; the tag's bracket is not part of it.
. "$(dirname "$0")/tickets.sh"
plan 4

new_project
ticket pt-1 tags='tf, component:ui'
ticket pt-2 tags='component:ui, tf'
ticket pt-3 tags='component:api'
for id in pt-1 pt-3; do does "$id" 'after go; work; close_ticket; commit'; done
work_on_bg --parallel 3
wait_for 20 said "$T/log" '^start' 2
is "$(starts pt-2)" 0 "the last tag of one is the first of another: they wait for each other"
ok "an idle slot says why" said "$T/bg.$bg.err" 'pt-2.*(ui|pt-1)'
echo go >>"$T/log"
end_bg 30 "$bg"
is "$status" 0 "all are done"
is "$(grep -E '^(end pt-1|start pt-2)' "$T/log" | xargs)" "end pt-1 0 start pt-2 1" "one after the other"
