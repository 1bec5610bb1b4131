import { risks, shows } from '../../results/operation'

export default [
  risks('openPull', () => 'Everyone who reads the repository sees it, and is notified.'),
  risks('createIssue', () => 'Everyone who reads the repository sees it, and is notified.'),
  shows('listPulls', () => import('./pulls-result')),
  shows('openPull', () => import('./opened-result')),
  shows('createIssue', () => import('./issue-result'))
]
