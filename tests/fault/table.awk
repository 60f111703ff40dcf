# table.awk - what the sweeps visited, from their lines "KIND ROLE FAULT VISITED POINTS BAD": a line for
# each kind and role, and what it is together.  Of flips the points are the bits of a file.
{
	who = sprintf("%-13s %-14s", $1, $2)
	if (!(who in cells))
		order[++rows] = who
	cells[who] = cells[who] sprintf("  %s %d/%d", $3, $4, $5)
	if ($6 > 0)
		cells[who] = cells[who] sprintf(" (%d BAD)", $6)
	bad += $6
	if ($1 == "flip") {
		flips += $4
	} else {
		visited += $4
		points += $5
	}
}
END {
	for (i = 1; i <= rows; i++)
		print order[i] cells[order[i]]
	printf "%d of %d points, %d flips, %d violation%s\n", visited, points, flips, bad, bad == 1 ? "" : "s"
}
