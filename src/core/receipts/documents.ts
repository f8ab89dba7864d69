// Files that were put to an issued receipt.
import { fail } from '../../errors.js'
import { isUuid } from '../../lib/id.js'
import type { Store } from '../../store/client.js'
import type { ReceiptKey } from '../../store/receipt/issued.js'
import {
  findDocument,
  type ListedDocument,
  listDocuments,
} from '../../store/receipt/receipt-documents.js'

/** Oldest first. */
export async function documentsOf(store: Store, key: ReceiptKey): Promise<ListedDocument[]> {
  return listDocuments(store, key)
}

/** Throws DOCUMENT_UNKNOWN. */
export async function documentOf(
  store: Store,
  key: ReceiptKey,
  id: string,
): Promise<ListedDocument & { content: Buffer }> {
  const found = isUuid(id) ? await findDocument(store, key, id.toLowerCase()) : undefined
  if (found === undefined) throw fail('DOCUMENT_UNKNOWN', { document: id.slice(0, 40) })
  return found
}

/** The list as it is told, without the files themselves. */
export function toldDocuments(documents: readonly ListedDocument[]): object {
  return {
    Count: documents.length,
    Items: documents.map(({ id, filename, mediaType, size, createdAt }) => ({
      Id: id,
      Filename: filename,
      Format: mediaType,
      Size: size,
      Moment: createdAt,
    })),
  }
}

/** Whatever a file is: nothing of it is shown or run by the browser that fetches it. */
export function documentHeaders({ filename }: ListedDocument): Record<string, string> {
  const ascii = filename.replace(/[^\w. -]/g, '_')
  const encoded = encodeURIComponent(filename).replace(/['()*]/g, (one) => {
    return `%${one.charCodeAt(0).toString(16).toUpperCase()}`
  })
  return {
    'content-disposition': `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
  }
}
