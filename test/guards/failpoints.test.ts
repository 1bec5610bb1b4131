import t from '../tap.js'
import { failpoints } from '../../plugins/failpoints.js'
import { listSources, read } from './sources.js'

t.test('every failpoint that is named is hit somewhere, once', async (t) => {
  const code = ['lib', 'plugins', 'routes'].flatMap(listSources).map(read).join('\n')
  const hit = [...code.matchAll(/\bfailpoint\('([a-z._]+)'\)/g)].map(([, point]) => point)
  t.same(hit.toSorted(), [...failpoints].toSorted())
})
