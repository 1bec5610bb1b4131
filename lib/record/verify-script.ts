import { verifyAudit } from './verify-file.js'

// The whole of the command, for a machine that has Node and nothing of Steward: the build makes one file of it.
verifyAudit(process.argv.slice(2)).then((isVerified) => { process.exitCode = isVerified ? 0 : 1 }, (error: unknown) => {
  process.stderr.write(`verify-audit: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 2
})
