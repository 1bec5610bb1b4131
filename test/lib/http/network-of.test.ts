import t from '../../tap.js'
import { addressIn, byAddress, networkOf, siteOf } from '../../../lib/http/addresses.js'
import { RefusedCredentials } from '../../../lib/security/refused-credentials.js'
import { Unauthenticated } from '../../../schemas/errors.js'

t.test('an address of IPv6 counts with its 64 bits, however it is written, and these with their site', async (t) => {
  t.equal(networkOf('2001:db8:1:2::1'), '2001:0db8:0001:0002::/64')
  t.equal(networkOf('2001:DB8:1:2:ffff:ffff:ffff:ffff'), networkOf('2001:db8:1:2::1'))
  t.equal(siteOf(networkOf('2001:db8:1:2::1')), '2001:0db8:0001:')
  t.equal(siteOf(networkOf('2001:db8:1:ffff::1')), '2001:0db8:0001:')
  t.not(siteOf(networkOf('2001:db8:2::1')), '2001:0db8:0001:')
  t.same([networkOf('192.0.2.7'), networkOf('::ffff:192.0.2.7'), siteOf('192.0.2.7')],
    ['192.0.2.7', '192.0.2.7', undefined])
  t.equal(networkOf('no address'), 'no address')
  const key = byAddress('sign-in', '2001:db8:1:2::1')
  t.equal(addressIn.exec(key)?.groups?.network, '2001:0db8:0001:0002::/64')
  t.equal(addressIn.exec(byAddress('ip', '192.0.2.7')), null)
})

t.test('who has many addresses has one share of refusals, and who has many networks has eight', async (t) => {
  const refused = new RefusedCredentials(2)
  const codeAt = (address: string) => refused.count(address, Unauthenticated()).code
  t.same(['2001:db8:1:2::1', '2001:db8:1:2::2', '2001:db8:1:2::3'].map(codeAt),
    ['unauthenticated', 'unauthenticated', 'rate_limited'])
  const site = Array.from({ length: 20 }, (_, at) => codeAt(`2001:db8:2:${at.toString(16)}::1`))
  t.equal(site.filter((code) => code === 'unauthenticated').length, 16)
  t.equal(codeAt('192.0.2.1'), 'unauthenticated')
})
