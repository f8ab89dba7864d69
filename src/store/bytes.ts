// Prisma wants bytes over plain memory, which the pooled Buffers of Node are not by type.
export function plainBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes)
}
