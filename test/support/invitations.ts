// Invited people and uploaded files.

let made = 0

/** A body of a stored invitation, another one each time. */
export function person() {
  made += 1
  return {
    company: {
      name: `Bäckerei ${made}`,
      email: `office${made}@korn.example`,
      addressLine1: 'Hauptstr. 1',
      postalCode: `${10_000 + made}`,
      city: 'Dresden',
      country: 'DE',
    },
    contact: { firstName: 'Eva', lastName: `Korn ${made}`, email: `eva${made}@korn.example` },
  }
}

/** The same for a direct invitation. */
export function direct(more: Record<string, unknown> = {}) {
  const { company, contact: primaryContact } = person()
  return { company, primaryContact, accessRights: 'Full', ...more }
}

const BOUNDARY = 'a-boundary-of-the-tests'

/** A form with one file. */
export function formOf(name: string, content: Buffer | string, field = 'file') {
  const about = `content-disposition: form-data; name="${field}"; filename="${name}"`
  const head = `--${BOUNDARY}\r\n${about}\r\n\r\n`
  const body = Buffer.concat([
    Buffer.from(head),
    Buffer.isBuffer(content) ? content : Buffer.from(content),
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ])
  return { body, headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` } }
}
