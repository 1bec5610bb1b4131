import t from 'tap'
import { faultPoints } from '../../plugins/faults.js'
import { listSources, read } from './sources.js'

t.test('every point that is named is crossed somewhere, once', async (t) => {
  const code = ['lib', 'plugins', 'routes'].flatMap(listSources).map(read).join('\n')
  const crossed = [...code.matchAll(/\bcrossing\('([a-z._]+)'\)/g)].map(([, point]) => point)
  t.same(crossed.toSorted(), [...faultPoints].toSorted())
})
