import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Test } from '../tap.js'
import { makeFolder } from '../app.js'

/** A server with a certificate of its own, which a process trusts that has it as NODE_EXTRA_CA_CERTS. */
export const startTlsPeer = async (t: Pick<Test, 'teardown'>, listener: RequestListener) => {
  const folder = makeFolder(t)
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes',
    '-keyout', key, '-out', certificate, '-days', '2', '-subj', '/CN=peer', '-addext', 'subjectAltName=IP:127.0.0.1'],
  { stdio: 'ignore' })
  const server: Server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, listener)
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  // A TCP server that listens has an AddressInfo.
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { host, url: `https://${host}`, certificate }
}
