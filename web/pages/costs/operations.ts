import { shows } from '../../results/operation'

export default [shows('getCosts', () => import('./result'), 'cloud')]
