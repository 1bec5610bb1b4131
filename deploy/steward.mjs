#!/usr/bin/env node
// The command `steward`: the server that was built. Node 22 and later keep its compiled code, where they may write.
import module from 'node:module'
import { join } from 'node:path'

module.enableCompileCache?.(join(import.meta.dirname, '..', 'dist', 'compiled'))
await import('../dist/bundle/server.js')
