// All cells of the contract test, by the id of the operation. A row of the route table without one
// fails test/api/dealer/contract/table.test.ts. Read by the tests of this contract.
import type { Cell, Cells } from './cell.js'
import { connectionCells } from './connection-cells.js'
import { fileCells } from './file-cells.js'
import { invitationCells } from './invitation-cells.js'
import { merchantCells } from './merchant-cells.js'
import { personalCells } from './personal-cells.js'
import { salesCells } from './sales-cells.js'
import { boxCells, queueCells, scuCells } from './stock-cells.js'
import { templateCells } from './template-cells.js'

export const cells: Readonly<Cells> = {
  ...merchantCells,
  ...connectionCells,
  ...personalCells,
  ...invitationCells,
  ...fileCells,
  ...queueCells,
  ...scuCells,
  ...boxCells,
  ...salesCells,
  ...templateCells,
}

export function cellOf(id: string): Cell {
  const found = cells[id]
  if (found === undefined) throw new Error(`the contract test has no cell for ${id}`)
  return found
}
