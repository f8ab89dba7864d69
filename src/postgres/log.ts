// The three words that store/ says to a log; every pino logger fits.

export interface StoreLog {
  info(text: string): void
  warn(text: string): void
  error(text: string): void
}
