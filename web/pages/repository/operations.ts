import { shows } from '../../results/operation'

export default [
  shows('listPulls', () => import('./pulls-result'), 'delivery'),
  shows('openPull', () => import('./opened-result'), 'delivery'),
  shows('createIssue', () => import('./issue-result'), 'delivery')
]
