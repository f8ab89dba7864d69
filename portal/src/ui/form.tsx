// Fields and forms: what is wrong stands at its field, a button shows work at once and is pressed
// once.
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { ApiError } from '../api/client.js'
import { useConfirmed } from './confirm.js'
import { ErrorNote } from './states.js'

interface FieldProps {
  label: string
  name: string
  type?: string
  value?: string
  hint?: string
  required?: boolean
  autoComplete?: string
  autoFocus?: boolean
  inputMode?: 'numeric' | 'email' | 'url'
  faults?: Faults
}

type Faults = Readonly<Record<string, readonly string[]>>

const faultsOf = (faults: Faults | undefined, name: string): readonly string[] => {
  const known = Object.entries(faults ?? {})
  return known.find(([member]) => member.toLowerCase() === name.toLowerCase())?.[1] ?? []
}

export function Field({ label, name, hint, faults, value, type = 'text', ...rest }: FieldProps) {
  const id = useId()
  const wrong = faultsOf(faults, name)
  return (
    <label className="field" htmlFor={id}>
      <span>{label}</span>
      <input
        id={id}
        name={name}
        type={type}
        defaultValue={value}
        aria-invalid={wrong.length > 0}
        aria-describedby={`${id}-hint`}
        {...rest}
      />
      <span id={`${id}-hint`} className={wrong.length > 0 ? 'wrong' : 'hint'}>
        {wrong.length > 0 ? wrong.join(' ') : hint}
      </span>
    </label>
  )
}

interface SelectProps {
  label: string
  name: string
  value?: string
  options: readonly (readonly [string, string])[]
}

export function Select({ label, name, value, options }: SelectProps) {
  const id = useId()
  return (
    <label className="field" htmlFor={id}>
      <span>{label}</span>
      <select id={id} name={name} defaultValue={value}>
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

interface FormProps {
  submit: string
  /** Of the fields by name. Throws ApiError. */
  send(values: Record<string, string>): Promise<void>
  children(faults: Faults): ReactNode
  /** Beside the button. */
  more?: ReactNode
}

export function Form({ submit, send, children, more }: FormProps) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const confirmed = useConfirmed()
  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    const values = Object.fromEntries(
      [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)]),
    )
    setBusy(true)
    setError(undefined)
    try {
      await confirmed(() => send(values))
    } catch (failed) {
      setError(failed)
    } finally {
      setBusy(false)
    }
  }
  const faults = error instanceof ApiError ? error.faults : {}
  return (
    <form onSubmit={(event) => void onSubmit(event)} noValidate>
      {error !== undefined && <ErrorNote error={error} />}
      {children(faults)}
      <div className="actions">
        <button type="submit" className="primary" aria-busy={isBusy}>
          {isBusy ? '…' : submit}
        </button>
        {more}
      </div>
    </form>
  )
}
