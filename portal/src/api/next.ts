/** Only pages of the portal: what stands in the address may come from anybody. */
export const isOwn = (next: string | null): next is string =>
  next !== null && /^\/(?![/\\])[^\s\\]*$/.test(next) && !next.startsWith('/login')
