// Why an address cannot be listened on, in words of the settings.

/** Why the address cannot be listened on, or undefined for another error. */
export function listenFault(error: unknown, setting = 'PORT'): string | undefined {
  const { code, port } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE') return `port ${port} is taken: set ${setting} to another one.`
  if (code === 'EACCES' && port !== undefined) {
    return `port ${port} may not be used by this user: set ${setting} to one above 1023.`
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return 'HOST is no address of this machine: leave it out, or set it to 0.0.0.0 for all.'
  }
  return undefined
}
