// What a filter's words find.

/** Whether each word of the query is somewhere in the text, in either case. */
export function isMatch(text: string, query: string): boolean {
  const where = text.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/u)
    .every((word) => where.includes(word));
}
