// The icon of the program, drawn by the page: a picture would be a further call, and a document of
// its own for the browser.
export function Mark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#0b6b53" />
      <path d="M9 6h14v20l-3.5-2.4L16 26l-3.5-2.4L9 26z" fill="#fbfcfb" />
      <path d="m12 15 3 3 5-6" fill="none" stroke="#0b6b53" strokeWidth="2.4" />
    </svg>
  )
}
