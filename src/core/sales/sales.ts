// What selling needs, and its steps in numbers.
import type { Transaction } from '../../store/transaction.js'
import type { Actor, AuditDeps } from '../audit/audit.js'

/** salesOrderState. */
export const ORDER = { active: 0, submitted: 1, canceled: 2, fulfilled: 3, invoiced: 4 } as const

/** productionState; a step that failed is shown with 100 more. */
export const STEP = { submit: 10, templates: 50, notesCreated: 70, done: 80 } as const
export const FAILED = 100

/** One cash box from a template, for an outlet of an operator. */
export interface TemplateOrder {
  operatorId: string
  outletNumber: number
  templateId: string
  /** Who has ordered it. */
  dealerId: string
}

export interface MadeBox {
  cashBoxId: string
  queueId: string | null
  scuId: string | null
}

export interface SalesDeps extends AuditDeps {
  /**
   * `made` commits with the cash box: what it throws undoes everything. Throws where the template
   * cannot be executed.
   */
  executeTemplate(
    actor: Actor,
    order: TemplateOrder,
    made: (tx: Transaction, box: MadeBox) => Promise<void>,
  ): Promise<void>
}
