import { shows } from '../../results/operation'

export default [
  shows('deployApp', () => import('./result'), 'delivery'),
  shows('rollbackBuild', () => import('./result'), 'delivery'),
  shows('getBuild', () => import('./result'), 'delivery'),
  shows('cancelBuild', () => import('./result'), 'delivery'),
  shows('getBuildLogs', () => import('./log-result'), 'delivery')
]
