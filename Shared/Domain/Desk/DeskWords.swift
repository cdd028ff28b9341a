package import Contracts

/// Words of the stores in people's words; one that is not known here stays as it is.
package enum DeskWords {
    /// The words that are translated, by the kinds that have them.
    package static let known: [DeskFact.Kind: [String: (String, String)]] = [
        .ordered: origins, .closed: closings, .paid: evidence, .held: evidence, .awaitsOrders: evidence,
        .moved: causes, .phoneTold: verdicts, .phoneStep: steps, .entry: entries, .act: acts,
        .ledgerAct: acts, .orderMade: makings,
        .compensated: compensations, .moveProposed: moves, .grantParked: DeskReasons.grants,
        .proofParked: DeskReasons.proofs, .proofPending: DeskReasons.proofs,
        .proofInvalid: DeskReasons.proofs,
        .appleNotified: DeskReasons.notifications, .notificationParked: DeskReasons.notifications,
        .refunded: DeskReasons.refunds,
        .serverRefuses: ["no answer": ("no answer", "没有回应"), "no endpoint": ("no address is set", "未设置地址")],
    ]

    /// A word of a fact for people.
    package static func text(_ word: String, of kind: DeskFact.Kind, _ language: DeskLanguage) -> String {
        guard let texts = known[kind]?[word] else { return word }
        return switch language {
        case .english: texts.0
        case .simplifiedChinese: texts.1
        }
    }

    private static let origins = [
        "phone": ("before the payment", "付款之前")
    ]
    private static let makings = [
        "server": ("Apple told of the payment", "Apple 告知了付款"), "renewal": ("a renewal", "续订"),
        "spot": ("a phone handed the payment in", "手机提交了付款"),
        "assigned": ("an operator gave it the purchase", "客服分配了购买"),
    ]
    private static let closings = [
        "cancelled": ("the player cancelled", "玩家取消"), "failed": ("the purchase failed", "购买失败"),
        "expired": ("nobody paid in time", "超时未付款"), "superseded": ("a newer order took its place", "被新订单取代"),
    ]
    private static let evidence = [
        "token": ("Apple's signed token names the order", "Apple 签名的令牌指明了订单"),
        "registered": ("Apple's signed token is the buyer's", "Apple 签名的令牌属于该买家"),
        "order": ("the proof came with this order", "凭证附带了此订单"),
        "holder": ("the buyer has the subscription", "买家拥有该订阅"),
        "caller": ("the buyer handed it in first", "买家最先提交"),
        "reassigned": ("an operator decided it", "客服决定"), "known": ("it was known before", "此前已确认"),
        "lookup": ("what Apple knows of it", "Apple 的记录"),
    ]
    private static let causes = [
        "restore": ("restored by another login", "由另一登录恢复"),
        "evidence": ("Apple's signed token names another buyer", "Apple 签名的令牌指明另一买家"),
        "reassign": ("an operator decided it", "客服决定"),
    ]
    private static let verdicts = [
        "granted": ("granted", "已发放"), "ended": ("ended", "已结束"),
        "conflict": ("somebody else has it", "属于他人"), "pending": ("not decided yet", "尚未决定"),
        "parked": ("waits for an operator", "等待处理"), "invalid": ("no payment", "不是付款"),
    ]
    private static let steps = [
        "ordered": ("got an order number", "取得订单号"), "asked": ("asked StoreKit", "调用 StoreKit"),
        "paid": ("StoreKit says paid", "StoreKit 显示已付款"), "pending": ("waits for approval", "等待批准"),
        "cancelled": ("the player cancelled", "玩家取消"), "failed": ("failed", "失败"),
        "kept": ("kept the proof", "保存了凭证"), "notKept": ("could not keep the proof", "未能保存凭证"),
        "answered": ("got an answer", "收到答复"), "finished": ("finished the transaction", "结束了交易"),
    ]
    private static let entries = [
        "grant": ("gave", "发放"), "reversal": ("took back", "收回"), "reinstatement": ("gave again", "重新发放"),
        "transferOut": ("moved away", "转出"), "transferIn": ("moved here", "转入"),
        "compensation": ("compensated", "补偿"), "compensationReversal": ("took the compensation back", "收回补偿"),
    ]
    private static let compensations = [
        "proposed": ("waits for another operator", "等待另一客服确认"), "granted": ("granted", "已发放"),
        "reversed": ("taken back", "已撤销"), "matched": ("the proof has come after all", "凭证已到"),
        "void": ("void", "已失效"),
    ]
    private static let moves = [
        "proposed": ("waits for another operator", "等待另一客服确认"), "confirmed": ("confirmed", "已确认"),
        "void": ("void", "已失效"),
    ]
    private static let acts = [
        "assigned": ("gave it to a buyer", "分配给买家"), "reassigned": ("moved it to another buyer", "转给另一买家"),
        "moveProposed": ("proposed to move it", "提议转移"), "moveConfirmed": ("confirmed the move", "确认转移"),
        "moveWithdrawn": ("withdrew the move", "撤回转移"),
        "moveVoided": ("found the holder changed: the move is void", "归属已变，转移作废"),
        "compensationRestored": ("a backup was put back: the compensation again", "恢复备份后重新补单"),
        "compensationExpired": ("the compensation expired", "补单提议过期"),
        "compensationProposed": ("proposed a compensation", "提议补单"),
        "compensationConfirmed": ("confirmed the compensation", "确认补单"),
        "compensationWithdrawn": ("withdrew the compensation, which nobody had confirmed", "撤回尚未确认的补单提议"),
        "compensationReversed": ("took the compensation back", "撤销补单"),
        "compensationMatched": ("the late proof took the compensation's place", "迟到的凭证取代了补单"),
        "compensationKept": ("left the compensation beside a purchase", "补单与购买并存"),
    ]
}
