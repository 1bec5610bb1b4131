import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from '../tap.js'

/** A web page on loopback. @returns its address */
export const startSite = async (t: Pick<Test, 'teardown'>): Promise<string> => {
  const site = http.createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Features</h1><p>Doors must open at dawn.</p>')
  })
  await new Promise<void>((resolve) => { site.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => {
    site.closeAllConnections()
    site.close()
  })
  // A TCP server that listens has an AddressInfo.
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}/page`
}
