// Read by the build, which gives the boot script the requests themselves and not the code that makes them.
import { discoverRequest } from '../features/discover/discover-search.ts';
import { squareRequest } from '../pages/strategies/square-search.ts';
import type { FirstQuestions } from './page-start.ts';

export const firstQuestions: FirstQuestions = {
  '/discover': { path: '/api/token/getTokenDiscover', request: discoverRequest({}) },
  '/strategies': { path: '/api/strategy/getStrategyList', request: squareRequest({}) },
};
