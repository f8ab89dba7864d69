// What goes with every invitation: a text, a right, a PDF.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, upload } from '../api/client.js'
import { useRole } from '../api/session.js'
import type { Input } from '../api/types.js'
import { useText } from '../text/index.js'
import { AskButton, Disabled, WorkButton } from '../ui/buttons.js'
import { Dialog } from '../ui/dialog.js'
import { FileField } from '../ui/file-field.js'
import { Form, Select } from '../ui/form.js'
import { Loaded } from '../ui/list.js'
import { useToast } from '../ui/toast.js'
import { RIGHTS } from './invitation-change.js'
import { MailPreview } from './mail-preview.js'

type Body = Input<'updateInvitationSettings'>['body']
const LONGEST = 4_000
const KEY = ['getInvitationSettings'] as const

export function Settings() {
  const t = useText()
  const { mayWrite } = useRole()
  const [isOpen, setOpen] = useState(false)
  if (!mayWrite) {
    return <Disabled why={t.why.role(t.company.roles.Member)}>{t.invite.settings}</Disabled>
  }
  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t.invite.settings}
      </button>
      {isOpen && <Shown onClose={() => setOpen(false)} />}
    </>
  )
}

function Shown({ onClose }: { onClose(): void }) {
  const t = useText()
  const client = useQueryClient()
  const [text, setText] = useState<string>()
  const settings = useQuery({ queryKey: KEY, queryFn: () => call('getInvitationSettings', {}) })
  const send = async ({ accessRights }: Record<string, string>) => {
    const emailContent = text ?? settings.data?.emailContent ?? null
    const body = { defaultAccessRights: accessRights, emailContent } as Body
    await call('updateInvitationSettings', { body })
    await client.invalidateQueries({ queryKey: KEY })
    onClose()
  }
  return (
    <Dialog title={t.invite.settings} onClose={onClose}>
      <Loaded query={settings}>
        {({ defaultAccessRights, emailContent, hasPdfDocument }) => (
          <>
            <Form
              submit={t.common.save}
              send={send}
              more={
                <>
                  <MailPreview wish={() => ({ text: text ?? emailContent })} />
                  <button type="button" onClick={onClose}>
                    {t.common.close}
                  </button>
                </>
              }
            >
              {() => (
                <>
                  <Select
                    label={t.onboard.right}
                    name="accessRights"
                    value={defaultAccessRights}
                    options={RIGHTS.map((one) => [one, t.onboard.rights[one]])}
                  />
                  <label className="field">
                    <span>{t.invite.text}</span>
                    <textarea
                      className="low"
                      maxLength={LONGEST}
                      value={text ?? emailContent ?? ''}
                      onChange={(event) => setText(event.target.value)}
                    />
                    <span className="hint">
                      {(text ?? emailContent ?? '').length} / {LONGEST}
                    </span>
                  </label>
                </>
              )}
            </Form>
            <Pdf has={hasPdfDocument} />
          </>
        )}
      </Loaded>
    </Dialog>
  )
}

function Pdf({ has }: { has: boolean }) {
  const t = useText()
  const client = useQueryClient()
  const toast = useToast()
  const fresh = () => client.invalidateQueries({ queryKey: KEY })
  const store = async (file: File) => {
    try {
      await upload('storeInvitationPdf', file)
      await fresh()
    } catch (error) {
      toast({ text: error instanceof Error ? error.message : '', isFault: true })
    }
  }
  /** The answer is its bytes in Base64. */
  const show = async () => {
    const bytes = Uint8Array.from(atob(String(await call('getInvitationPdf', {}))), (one) =>
      one.charCodeAt(0),
    )
    const address = URL.createObjectURL(new Blob([bytes], { type: 'application/pdf' }))
    open(address, '_blank', 'noopener')
    setTimeout(() => URL.revokeObjectURL(address), KEEP_MS)
  }
  return (
    <section>
      <h3>{t.invite.pdf}</h3>
      <FileField label={t.invite.choosePdf} accept="application/pdf" onFile={store} />
      {has && (
        <p className="filters">
          <WorkButton work={show}>{t.common.show}</WorkButton>
          <AskButton
            kind="danger"
            title={`${t.invite.pdf}: ${t.common.remove}`}
            text={t.common.final}
            work={() => call('deleteInvitationPdf', {}).then(fresh)}
          >
            {t.common.remove}
          </AskButton>
        </p>
      )}
    </section>
  )
}

const KEEP_MS = 60_000
