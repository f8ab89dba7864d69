// One signing unit: what is known of it, proved now, and other settings for it.

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link, useParams } from 'react-router'
import { call } from '../api/client.js'
import { typedJson } from '../api/json.js'
import type { Input, Result } from '../api/types.js'
import { useText } from '../text/index.js'
import { useWhy } from '../ui/actions.js'
import { CopyButton, WorkButton } from '../ui/buttons.js'
import { type Column, DataTable } from '../ui/data-table.js'
import { EditButton } from '../ui/edit.js'
import { Facts } from '../ui/facts.js'
import { Loaded } from '../ui/list.js'
import { Day } from '../ui/time.js'
import { useToast } from '../ui/toast.js'
import { InList, useUnits } from './unit-in-list.js'

type Unit = Result<'getUnitDetails'>
type Told = Result<'checkUnit'>
type Proof = Told['lines'][number]
interface UnitPath {
  posOperatorId: string
  scuId: string
}

export function Page() {
  const t = useText()
  const { operatorId = '', scuId = '' } = useParams()
  const path = { posOperatorId: operatorId, scuId }
  const hasUnits = useUnits()
  const found = useQuery({
    queryKey: ['getUnitDetails', operatorId, scuId],
    queryFn: () => call('getUnitDetails', { path }),
  })
  return (
    <>
      <p>
        <Link to={`/scus?operatorId=${operatorId}`}>← {t.units.back}</Link>
      </p>
      <h1>{t.units.title}</h1>
      <Loaded query={found}>
        {(unit) => (
          <div className="split wide">
            <Known unit={unit} />
            <div>
              {hasUnits && <InList path={path} />}
              <Check unit={unit} path={path} />
              <Configure unit={unit} path={path} />
            </div>
          </div>
        )}
      </Loaded>
    </>
  )
}

function Known({ unit }: { unit: Unit }) {
  const t = useText()
  const { certificateBase64, certificateEnds, environment, settings, tseState } = unit
  const facts = Object.entries(unit.facts).filter(([, value]) => value !== unit.serialNumber)
  const pem = certificateBase64 === null ? null : pemOf(certificateBase64)
  return (
    <section>
      <h2>{t.units.facts}</h2>
      {unit.software && <p className="note">{t.units.software}</p>}
      <dl className="facts">
        <Fact title={t.units.package}>{unit.package}</Fact>
        <Fact title={t.common.market}>{unit.market}</Fact>
        <Fact title={t.units.serial}>{unit.serialNumber}</Fact>
        <Fact title={t.units.tse}>{tseState === null ? null : t.units.states[tseState]}</Fact>
        <Fact title={t.units.certification}>{unit.certificationId}</Fact>
        <Fact title={t.units.environment}>
          {environment === null ? null : t.units.environments[environment]}
        </Fact>
        <Fact title={t.units.ends}>
          {certificateEnds === null ? null : <Day at={certificateEnds} />}
        </Fact>
        {facts.map(([name, value]) => (
          <Fact key={name} title={name}>
            {value}
          </Fact>
        ))}
      </dl>
      <details>
        <summary>{t.units.settings}</summary>
        <pre>{JSON.stringify(settings, null, 2)}</pre>
      </details>
      {pem !== null && (
        <details>
          <summary>{t.units.certificate}</summary>
          <pre>{pem}</pre>
          <div className="actions">
            <CopyButton text={pem} />
            <a
              className="button"
              href={`data:application/x-pem-file,${encodeURIComponent(pem)}`}
              download={`${unit.serialNumber ?? unit.id}.pem`}
            >
              {t.jobs.download}
            </a>
          </div>
        </details>
      )}
    </section>
  )
}

function Fact({ title, children }: { title: string; children: ReactNode }) {
  if (children === null || children === undefined || children === '') return null
  return (
    <>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </>
  )
}

function pemOf(base64: string): string {
  const lines = base64.match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

const LEVELS = { ok: 'good', warn: 'wait', bad: 'bad' } as const

function Check({ unit, path }: { unit: Unit; path: UnitPath }) {
  const t = useText()
  const client = useQueryClient()
  const why = useWhy('scu', unit.id)('checkUnit')
  const [told, setTold] = useState<Told>()
  const check = async (body: Input<'checkUnit'>['body']) => {
    setTold(await call('checkUnit', { path, body }))
    await client.invalidateQueries({ queryKey: ['getUnitDetails'] })
  }
  const columns: Column<Proof>[] = [
    {
      title: t.units.looked,
      cell: ({ name, level }) => (
        <>
          {name}
          <span className={`sub state ${LEVELS[level]}`}>{t.units.levels[level]}</span>
        </>
      ),
    },
    {
      title: t.units.seen,
      cell: ({ text, next }) => (
        <>
          <span className="piece">{text}</span>
          {next !== undefined && <span className="sub">{next}</span>}
        </>
      ),
    },
  ]
  return (
    <section>
      <h2>{t.units.check}</h2>
      <p className="lead">{t.units.checkText}</p>
      <div className="actions">
        <WorkButton kind="primary" why={why} work={() => check({})}>
          {t.units.check}
        </WorkButton>
        {!unit.software && (
          <WorkButton why={why} work={() => check({ again: true })}>
            {t.units.again}
          </WorkButton>
        )}
      </div>
      {unit.issuers.map((issuer) => (
        <p key={issuer}>
          <span className="mono piece">{issuer}</span>{' '}
          <WorkButton why={why} work={() => check({ confirm: issuer })}>
            {t.units.confirm}
          </WorkButton>
        </p>
      ))}
      {told !== undefined && (
        <div role="status">
          <DataTable
            caption={t.units.check}
            columns={columns}
            rows={told.lines}
            keyOf={({ name, text }) => name + text}
          />
          {told.tse !== null && (
            <details open>
              <summary>{t.units.tseInfo}</summary>
              <Facts of={told.tse} />
            </details>
          )}
        </div>
      )}
    </section>
  )
}

function Configure({ unit, path }: { unit: Unit; path: UnitPath }) {
  const t = useText()
  const toast = useToast()
  const client = useQueryClient()
  const why = useWhy('scu', unit.id)('configureUnit')
  const send = async ({ json = '' }: Record<string, string>) => {
    const configuration = typedJson(json) as Record<string, never>
    await call('configureUnit', { path, body: { configuration } })
    await client.invalidateQueries({ queryKey: ['getUnitDetails'] })
    toast({ text: t.units.configured })
  }
  return (
    <section>
      <h2>{t.units.configure}</h2>
      <p className="lead">{t.units.configureText}</p>
      <EditButton
        why={why ?? (unit.software ? t.units.own : undefined)}
        title={t.units.configure}
        text={t.units.configureText}
        entries={[
          {
            ...{ name: 'json', label: t.units.json, type: 'lines' },
            value: JSON.stringify(unit.settings, null, 2),
          },
        ]}
        send={send}
      >
        {t.units.configure}
      </EditButton>
    </section>
  )
}
