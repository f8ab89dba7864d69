// How addresses are compared, by the server and by whoever looks for one beside it.

export const ROUTER = {
  caseSensitive: false,
  ignoreDuplicateSlashes: true,
  ignoreTrailingSlash: true,
  maxParamLength: 256,
} as const
