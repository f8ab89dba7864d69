// What the mail of an invitation would say, before it is sent: subject and text, as its reader sees them.
import { useState } from 'react'
import { call } from '../api/client.js'
import type { Input, Result } from '../api/types.js'
import { useText } from '../text/index.js'
import { WorkButton } from '../ui/buttons.js'
import { Dialog } from '../ui/dialog.js'

type Wish = Input<'previewInvitationMail'>['body']
type Letter = Result<'previewInvitationMail'>

const NOBODY = { company: '', contact: '', email: '' }

/** `wish`: of what is in the form by now. */
export function MailPreview({ wish }: { wish(): Partial<Wish> }) {
  const t = useText()
  const [letter, setLetter] = useState<Letter>()
  const look = async () => {
    const body: Wish = { ...NOBODY, accessRights: 'Full', variant: 'new', ...wish() }
    setLetter(await call('previewInvitationMail', { body }))
  }
  return (
    <>
      <WorkButton opens="dialog" work={look}>
        {t.mail.preview}
      </WorkButton>
      {letter !== undefined && (
        <Dialog title={t.mail.title} onClose={() => setLetter(undefined)}>
          <p>
            <strong lang={letter.language}>{letter.subject}</strong>
          </p>
          <pre className="letter" lang={letter.language}>
            {letter.text}
          </pre>
          <div className="actions">
            <button type="button" onClick={() => setLetter(undefined)}>
              {t.common.close}
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}
