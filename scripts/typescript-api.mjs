// openapi-typescript builds its answer with the interface of the compiler, which version 7 of the
// compiler does not have: for it alone `typescript` is the one before.
export const resolve = (specifier, context, next) =>
  next(specifier === 'typescript' ? 'typescript-api' : specifier, context)
