// GET /: short links with `c` and labels with `tag`.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isLinkGood, isTag, type LinkTarget, targetOf } from '../../core/receipts/link.js'
import { published } from '../../core/receipts/read.js'
import type { IssuedReceipt } from '../../store/receipt/issued.js'
import { findByTag } from '../../store/receipt/receipt-names.js'
import { queryValue } from '../shared/query.js'
import { receiptBase } from '../shared/receipt-address.js'
import type { ReceiptDeps, ReceiptFrame } from './deps.js'
import { open } from './open.js'
import { choiceOf, isMissing, readsPages, toInformation } from './reader.js'

interface Turn {
  request: FastifyRequest
  reply: FastifyReply
}

/** Whatever leads to no receipt leads to one and the same page. */
export async function enter(
  deps: ReceiptDeps,
  frame: ReceiptFrame,
  turn: Turn,
): Promise<FastifyReply> {
  const { request, reply } = turn
  const c = queryValue(request, 'c')
  const tag = queryValue(request, 'tag')
  if (c === undefined && tag === undefined && readsPages(request)) return sendFront(frame, reply)
  const target = c === undefined ? tagOf(tag) : targetOf(c)
  const receipt = target && (await receiptOf(deps, target))
  const good = receipt && (await isFollowed(deps, receipt, { c, request }))
  if (receipt === undefined || good !== true) return toInformation(deps.address, request, reply)
  return openLinked(deps, { receipt, target }, turn)
}

function sendFront({ front }: ReceiptFrame, reply: FastifyReply): FastifyReply {
  const { page, policy } = front()
  return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(page)
}

function tagOf(tag: string | undefined): LinkTarget | undefined {
  return tag !== undefined && isTag(tag) ? { tag } : undefined
}

async function receiptOf(
  { store }: ReceiptDeps,
  target: LinkTarget,
): Promise<IssuedReceipt | undefined> {
  const key = 'tag' in target ? await findByTag(store, target.tag) : target
  if (key === undefined) return undefined
  try {
    return await published(store, key)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

async function isFollowed(
  { store, requireSignature }: ReceiptDeps,
  { cashBoxId }: IssuedReceipt,
  { c, request }: { c: string | undefined; request: FastifyRequest },
): Promise<boolean> {
  // a label has nothing that could be signed
  if (c === undefined) return true
  const value = (name: string): string | undefined => queryValue(request, name)
  const link = { c, f: value('f') ?? '', mcc: value('mcc') ?? '' }
  const signatures = { s1: value('s1'), s2: value('s2') }
  return isLinkGood(store, { link, signatures, cashBoxId }, requireSignature)
}

function openLinked(
  deps: ReceiptDeps,
  { receipt, target }: { receipt: IssuedReceipt; target: LinkTarget | undefined },
  turn: Turn,
): Promise<FastifyReply> {
  const { request } = turn
  const choice = choiceOf(request)
  const tag = target !== undefined && 'tag' in target ? target.tag : undefined
  const base = (): string => receiptBase(deps.address, request)
  const opening = {
    receipt,
    choice,
    handedOn: choice.format.name === 'html',
    features: featuresOf(queryValue(request, 'f')),
    campaign: queryValue(request, 'mcc'),
    original: tag === undefined ? undefined : `${base()}/?tag=${encodeURIComponent(tag)}`,
  }
  return open(deps, opening, turn)
}

/** What `f` may ask for: 1 no share buttons, 2 no feedback, 4 PDF first. */
const FEATURES = 7

/** A decimal bit set; what is none, and bits that mean nothing, are ignored. */
function featuresOf(f: string | undefined): number {
  return /^\d{1,9}$/.test(f ?? '') ? Number(f) & FEATURES : 0
}
