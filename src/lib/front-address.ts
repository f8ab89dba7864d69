// Addresses that others go on behind.

/** Whether paths can follow it: no user, no query, no fragment. */
export function isLinkBase(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return `${username}${password}` === '' && !/[?#]/.test(text)
}

const MOUNT = /^((localhost|[a-z0-9-]+(\.[a-z0-9-]+)+)(:\d{1,5})?)?(\/[A-Za-z0-9._/-]*)?$/i
/** Clients take these away before they call. */
const DOTS = /\/\.{1,2}(\/|$)/

/** `/prefix`, `host.name` or `host.name/prefix`: where a group is reached. */
export const isMount = (text: string): boolean => MOUNT.test(text) && !DOTS.test(text)
