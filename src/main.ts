// What `npm start` runs after preparing.
import { serve } from './serve.js'

await serve()
