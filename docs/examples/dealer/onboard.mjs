// Onboards the merchants of a CSV file; called by 01-onboard.sh. Nothing but Node is needed.
// The steps stand below in their order; each looks first at what is there already.
import { readFile } from 'node:fs/promises'

const { FISKALWERK_URL: server, DEALER_ID, DEALER_TOKEN } = process.env
const [file] = process.argv.slice(2)
const here = (name) => new URL(name, import.meta.url)

/** A call of the Dealer API in the dealer's name. Answers the body, throws what it was refused for. */
async function dealer(method, path, body) {
  const json = body !== undefined && !(body instanceof FormData)
  const response = await fetch(`${server}/api/${path}`, {
    method,
    headers: {
      accountId: DEALER_ID,
      accessToken: DEALER_TOKEN,
      ...(json ? { 'content-type': 'application/json' } : {}),
    },
    body: json ? JSON.stringify(body) : body,
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} -> ${response.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

// ---------------------------------------------------------------- 1. invitations out of the file

/** Rows of the file by their header; quotes as spreadsheets write them. */
function rowsOf(csv) {
  const cells = [...csv.matchAll(/(?:"((?:[^"]|"")*)"|([^;\r\n]*))(;|\r?\n|$)/g)]
  const rows = [[]]
  for (const [, quoted, plain, end] of cells) {
    rows.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end !== ';') rows.push([])
  }
  const [header, ...lines] = rows.filter((row) => row.some((cell) => cell !== ''))
  return lines.map((line) => Object.fromEntries(header.map((name, i) => [name, line[i]])))
}

/** What is known already is skipped by the server. */
async function invite(csv) {
  const form = new FormData()
  form.append('file', new Blob([csv], { type: 'text/csv' }), 'merchants.csv')
  const { created, skipped } = await dealer('POST', 'pos-operators-invitation/import/csv', form)
  console.error(`${created} invitations stored, ${skipped.length} known`)
}

/** Those that were not executed yet, by e-mail of the contact. */
async function pendingInvitations() {
  const list = await dealer('GET', 'pos-operators-invitation')
  return new Map(list.map(({ id, contact }) => [contact.email, id]))
}

// ---------------------------------------------------------------- 2. from invitation to register

/** The account of the merchant: connected without a letter, if that has not been done. */
async function connect({ invitation, email }) {
  if (invitation !== undefined) {
    const path = `pos-operators-invitation/${invitation}/auto-execute`
    const { success, error } = await dealer('POST', path)
    if (!success) throw new Error(error)
  }
  const list = await dealer('GET', 'posoperators')
  const found = list.find(({ eMailAddress }) => eMailAddress === email)
  if (found === undefined) throw new Error(`${email} is not connected to this dealer`)
  return found.id
}

const SHOP = 'Shop 1'

/** The number of the outlet, made from the address of the company. */
async function outletOf(operator, row) {
  const path = `posoperators/${operator}/outlets`
  const found = (await dealer('GET', path)).find(({ name }) => name === SHOP)
  const outlet = found ?? (await dealer('POST', path, { name: SHOP, ...addressOf(row) }))
  return outlet.outletNumber
}

const addressOf = (row) => ({
  address: row.CompanyAddressLine1,
  postalCode: row.CompanyPostalCode,
  city: row.CompanyCity,
  country: row.CompanyCountry,
})

const TILL = 'Register 1'

/** The cash box of the outlet, made from the template of the country. */
async function cashBoxOf(operator, { outlet, country }) {
  const path = `posoperators/${operator}/cashboxes`
  const boxes = await dealer('GET', path)
  let id = boxes.find((box) => box.outletNumber === outlet && box.description === TILL)?.cashBoxId
  if (id === undefined) {
    const template = JSON.parse(await readFile(here(`${country.toLowerCase()}.json`), 'utf8'))
    // till_name is a variable of the template; the others are known to the server
    const query = new URLSearchParams({
      outlet_number: outlet,
      description: TILL,
      till_name: `Till-${outlet}-1`,
    })
    ;({ cashBoxId: id } = await dealer(
      'POST',
      `posoperators/${operator}/templates?${query}`,
      template,
    ))
  }
  const { accessToken, queues } = await dealer('GET', `${path}/${id}`)
  return { id, accessToken, queueId: queues[0].id }
}

// ---------------------------------------------------------------- 3. receipts

/** Case words as text: they have more digits than a number of JavaScript. */
const COUNTRIES = {
  AT: {
    start: '0x4154000000000003',
    sale: '0x4154000000000001',
    normal: { VATRate: 20, ftChargeItemCase: '0x4154000000000003' },
    cash: '0x4154000000000001',
  },
  DE: {
    start: '0x4445000100000003',
    sale: '0x4445000100000001',
    normal: { VATRate: 19, ftChargeItemCase: '0x4445000000000001' },
    cash: '0x4445000000000001',
  },
}

/** Signs a receipt with the credentials of the register; answers its number. */
async function sign({ id, accessToken, queueId }, receipt) {
  const response = await fetch(`${server}/${queueId}/json/v1/sign`, {
    method: 'POST',
    headers: { cashboxid: id, accesstoken: accessToken, 'content-type': 'application/json' },
    body: JSON.stringify({
      ftCashBoxID: id,
      cbTerminalID: '1',
      cbReceiptMoment: new Date().toISOString(),
      cbChargeItems: [],
      cbPayItems: [],
      ...receipt,
    }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`sign -> ${response.status} ${text}`)
  // the lower half says what is wrong
  const state = BigInt(/"ftState":(\d+)/.exec(text)[1])
  if (BigInt.asUintN(32, state) !== 0n) throw new Error(`sign -> ftState ${state.toString(16)}`)
  return JSON.parse(text).ftReceiptIdentification
}

/** The start receipt, where it was not sent yet, and a sale. */
async function trade(operator, { box, country }) {
  const { start, sale, normal, cash } = COUNTRIES[country]
  const queues = await dealer('GET', `posoperators/${operator}/queues`)
  const { startMoment } = queues.find((queue) => queue.id === box.queueId)
  if (startMoment === null) await sign(box, { cbReceiptReference: 'start', ftReceiptCase: start })
  return sign(box, {
    cbReceiptReference: 'sale',
    cbChargeItems: [{ Quantity: 1, Description: 'First sale', Amount: 12, ...normal }],
    cbPayItems: [{ Quantity: 1, Description: 'Cash', Amount: 12, ftPayItemCase: cash }],
    ftReceiptCase: sale,
  })
}

// ---------------------------------------------------------------- all of them

async function onboard(row, invitation) {
  const country = row.CompanyCountry
  const operator = await connect({ invitation, email: row.CompanyEmail })
  const outlet = await outletOf(operator, row)
  const box = await cashBoxOf(operator, { outlet, country })
  const receipt = await trade(operator, { box, country })
  return `outlet ${outlet}  ${box.id}  ${receipt}`
}

const csv = await readFile(file, 'utf8')
const rows = rowsOf(csv)
await invite(csv)
const pending = await pendingInvitations()

console.log(`${' '.repeat(12)}${'merchant'.padEnd(24)}outlet    ${'cash box'.padEnd(38)}sale`)
let ready = 0
for (const [index, row] of rows.entries()) {
  const count = `${String(index + 1).padStart(3)}/${rows.length}`
  const head = `${count}  ${row.CompanyCountry}  ${row.CompanyName.padEnd(22)}`
  try {
    const line = await onboard(row, pending.get(row.ContactEmail))
    ready += 1
    console.log(`${head}  ${line}`)
  } catch (error) {
    console.log(`${head}  failed: ${error.message}`)
  }
}
console.log(`${ready} of ${rows.length} registers sign`)
if (ready < rows.length) process.exitCode = 1
