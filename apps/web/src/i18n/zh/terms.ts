import type source from '../en/terms.ts';
import type { TranslationOf } from '../messages.ts';

export default {
  title: '服务条款',
  updated: '适用于此 Hunter 站点。',
  sections: {
    risk: {
      title: 'Meme 代币风险极高',
      text: '大多数代币会失去几乎全部价值，往往只需数小时。请只投入您能够完全承受损失的资金。Hunter 的任何内容均不构成建议。',
    },
    copying: {
      title: '跟单由您自行决定',
      text: '过往收益不代表未来。跟单意味着在您取消之前，以您的 SOL 重复带单员的交易；每笔跟单的费用在成交后才可知。取消跟单会按市价卖出其中的代币，您也可以选择将代币转入自己的钱包。',
    },
    wallet: {
      title: '托管钱包',
      text: 'Hunter 是托管平台：为您生成 Solana 钱包，加密保管其私钥，并用它为您的交易签名。注册时您会获得私钥，之后可凭密码、邮件验证码以及已设置的二次验证再次查看。拥有私钥者可以转移您的资金。',
    },
    fees: {
      title: '费用',
      text: '每笔交易都会产生网络费和兑换手续费。您自己的交易在确认前显示，跟单的费用在成交后计入数据。您自己的盈亏均已计入费用。',
    },
    conduct: {
      title: '合理使用',
      text: '请勿使用 Hunter 操纵市场、洗钱或从事法律禁止的活动。违规账户可能被停止交易。提现受限额、24 小时暂缓和安全暂停的约束。',
    },
    data: {
      title: '您的数据',
      text: '我们保存您的邮箱地址、密码的哈希值、加密的钱包私钥、设备与 IP 地址以及您的交易。交易在 Solana 网络上公开。',
    },
  },
  accept: '同意',
} satisfies TranslationOf<typeof source>;
