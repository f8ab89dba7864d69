// A moment as exact as it is stored: what pages of a list go on behind.

/** Text of a moment to the microsecond; `Date` knows milliseconds alone. */
export const instantText = (moment: string): string =>
  `to_char(${moment} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
