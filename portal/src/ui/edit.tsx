// Changing a thing by a few fields: a button that says why it may not, and a dialog with the fields.
import { type ReactNode, useId, useState } from 'react'
import { useText } from '../text/index.js'
import { WorkButton } from './buttons.js'
import { Dialog } from './dialog.js'
import { Field, Form, Select } from './form.js'

export interface Entry {
  name: string
  label: string
  value?: string | null | undefined
  hint?: string
  /** Of an input; `text`, `lines` or what else it knows. */
  type?: string
  options?: readonly (readonly [string, string])[]
  autoComplete?: string
}

type Values = Record<string, string>
type Loaded = Readonly<Record<string, string | null | undefined>>

interface Props {
  children: ReactNode
  /** Why it may not be pressed; undefined: it may. */
  why?: string | undefined
  title?: string
  /** Above the fields. */
  text?: string
  entries: readonly Entry[]
  /** What it is now: values of entries by name, asked for when the dialog is opened. */
  load?(): Promise<Loaded>
  submit?: string
  kind?: 'primary' | 'danger' | 'plain'
  send(values: Values): Promise<unknown>
}

export function EditButton({ children, why, kind, load, ...dialog }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [now, setNow] = useState<Loaded>({})
  const open = async () => {
    if (load !== undefined) setNow(await load())
    setOpen(true)
  }
  const entries = dialog.entries.map((entry) =>
    entry.name in now ? { ...entry, value: now[entry.name] } : entry,
  )
  return (
    <>
      <WorkButton opens="dialog" kind={kind} why={why} shortcut="e" work={open}>
        {children}
      </WorkButton>
      {isOpen && (
        <EditDialog
          {...dialog}
          entries={entries}
          title={dialog.title ?? String(children)}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

interface DialogProps extends Omit<Props, 'children' | 'why' | 'kind' | 'load'> {
  title: string
  onClose(): void
}

export function EditDialog({ title, text, entries, submit, send, onClose }: DialogProps) {
  const t = useText()
  return (
    <Dialog title={title} onClose={onClose}>
      {text !== undefined && <p>{text}</p>}
      <Form
        submit={submit ?? t.common.save}
        send={async (values) => {
          await send(values)
          onClose()
        }}
        more={
          <button type="button" onClick={onClose}>
            {t.common.cancel}
          </button>
        }
      >
        {(faults) =>
          entries.map((entry) => <EntryField key={entry.name} entry={entry} faults={faults} />)
        }
      </Form>
    </Dialog>
  )
}

interface EntryProps {
  entry: Entry
  faults: Readonly<Record<string, readonly string[]>>
}

/** What is wrong is told of `address.street` or of `street`. */
function EntryField({ entry, faults }: EntryProps) {
  const { name, label, value, options, hint, type = 'text' } = entry
  const found = Object.entries(faults).find(
    ([member]) => member.split('.').at(-1)?.toLowerCase() === name.toLowerCase(),
  )
  if (options !== undefined) {
    return <Select label={label} name={name} value={value ?? ''} options={options} />
  }
  if (type === 'lines') return <Lines label={label} name={name} value={value ?? ''} />
  return (
    <Field
      label={label}
      name={name}
      type={type}
      value={value ?? ''}
      faults={found === undefined ? {} : { [name]: found[1] }}
      {...(hint === undefined ? {} : { hint })}
    />
  )
}

function Lines({ label, name, value }: { label: string; name: string; value: string }) {
  const id = useId()
  return (
    <label className="field" htmlFor={id}>
      <span>{label}</span>
      <textarea id={id} name={name} className="low" defaultValue={value} />
    </label>
  )
}

/** What was given; what is empty is left out. */
export const given = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''))

/** All of them; what is empty is taken away. */
export const orNull = (values: Values): Record<string, string | null> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value.trim() === '' ? null : value]),
  )
