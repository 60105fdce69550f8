import { Chain, ChainError } from '@hunter/verify/chain';
import { Published, PublishedError } from '@hunter/verify/published';
import { verifyCopy } from '@hunter/verify/verify-copy';
import { verifyStrategy } from '@hunter/verify/verify-strategy';
import type { Answer, CopyAnswer, Failure, Question, StrategyAnswer } from './messages.ts';

const worker = self as unknown as {
  onmessage: (event: MessageEvent<Question>) => void;
  postMessage: (answer: Answer, transfer: []) => void;
};

const plainFetch: typeof fetch = (url, init) => fetch(url, init);

worker.onmessage = ({ data: question }) => {
  void answerTo(question)
    .catch(failureOf)
    .then((answer) => worker.postMessage(answer, []));
};

async function answerTo(question: Question): Promise<StrategyAnswer | CopyAnswer | Failure> {
  const proxy = new Chain(`${question.web}/api/verify/rpc`, plainFetch);
  const chain = question.rpc === null ? proxy : new Chain(question.rpc, plainFetch);
  if (question.rpc !== null) {
    const [own, theirs] = await Promise.all([proxy.genesisHash(), chain.genesisHash()]);
    if (own !== theirs) return { kind: 'failed', where: 'chain', detail: theirs };
  }
  if (question.kind === 'copy') {
    return { kind: 'copy', check: await verifyCopy(chain, question.proof), proof: question.proof };
  }
  const { name, slug, wallet, report } = await verifyStrategy({
    published: new Published(question.web, plainFetch),
    chain,
    slug: question.slug,
    onProgress: (progress) => worker.postMessage({ kind: 'progress', progress }, []),
  });
  return { kind: 'strategy', name, slug, wallet, figures: report.figures };
}

function failureOf(error: unknown): Failure {
  const where = error instanceof ChainError ? 'node' : error instanceof PublishedError ? 'product' : 'page';
  return { kind: 'failed', where, detail: error instanceof Error ? error.message : String(error) };
}
