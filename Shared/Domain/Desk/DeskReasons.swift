/// Why something waits or was taken back, in people's words: English, then simplified Chinese.
enum DeskReasons {
    /// Why the ledger parks a grant.
    static let grants = [
        "unknownProduct": ("the catalog has no such product", "目录里没有此商品"),
        "retiredProduct": ("the product is retired", "商品已停售"),
        "typeMismatch": ("Apple signed another type than the catalog's", "Apple 签名的类型与目录不符"),
        "unsupportedQuantity": ("the quantity cannot be counted", "数量无法计算"),
        "alreadyOwned": ("the buyer has it already", "买家已经拥有"),
    ]
    /// Why no transaction could be read from a proof, or none of an app may be taken.
    static let proofs = [
        "tooLarge": ("it is too large", "凭证过大"),
        "malformed": ("it is not in Apple's format", "不是 Apple 的格式"),
        "unsigned": ("Xcode made it, and nobody signed it", "由 Xcode 生成，没有签名"),
        "badSignature": ("its signature does not hold", "签名无效"),
        "untrusted": ("its certificates lead to no trusted root", "证书不可信"),
        "expiredCertificate": ("its certificate was not valid then", "证书当时无效"),
        "unreadable": ("Apple signed it, and it cannot be read here", "Apple 已签名，但此处无法读取"),
        "wrongDevice": ("it is for another device", "属于另一台设备"),
        "emptyReceipt": ("nothing was bought with it", "收据里没有购买"),
        "unverified": ("only Apple can verify it, and the app has no key", "只有 Apple 能验证，而此 App 没有密钥"),
        "askingApple": ("Apple is asked", "正在向 Apple 查询"),
        "unknownToApple": ("Apple knows no such transaction", "Apple 没有这笔交易"),
        "contradicted": ("Apple says something else: it is forged", "与 Apple 的记录不符：伪造"),
        "refusedByApple": ("Apple says that it is no receipt of its own", "Apple 说不是它的收据"),
        "neverPurchased": ("Apple says that nothing was bought", "Apple 说没有购买"),
        "undecidedByApple": ("Apple gives no verdict", "Apple 没有给出结论"),
        "unknownApp": ("it is of an app that is not in the configuration", "配置中没有此 App"),
        "wrongApp": ("it is of another app", "属于另一个 App"),
        "wrongEnvironment": ("it is of another environment", "属于另一个环境"),
        "unknownVersion": ("its version is not known here", "版本未知"),
        "sandboxRefused": ("the app takes no sandbox purchases", "此 App 不接受沙盒购买"),
    ]
    /// Types of Apple's notifications.
    static let notifications = [
        "SUBSCRIBED": ("subscribed", "订阅"), "DID_RENEW": ("renewed", "续订"),
        "ONE_TIME_CHARGE": ("bought", "购买"), "OFFER_REDEEMED": ("redeemed an offer", "兑换优惠"),
        "DID_CHANGE_RENEWAL_PREF": ("changed the plan", "更改方案"),
        "DID_CHANGE_RENEWAL_STATUS": ("changed the renewal", "更改续订状态"),
        "DID_FAIL_TO_RENEW": ("the renewal failed", "续订失败"),
        "GRACE_PERIOD_EXPIRED": ("the grace period ended", "宽限期结束"),
        "EXPIRED": ("the subscription ended", "订阅到期"),
        "PRICE_INCREASE": ("the price rises", "涨价"), "PRICE_CHANGE": ("the price changes", "价格变动"),
        "METADATA_UPDATE": ("changed what is known of it", "更新信息"),
        "MIGRATION": ("moved to another form", "迁移"), "MIGRATE": ("moved to another form", "迁移"),
        "RENEWAL_EXTENDED": ("the period was extended", "订阅期延长"),
        "RENEWAL_EXTENSION": ("periods were extended", "批量延长订阅期"),
        "CONSUMPTION_REQUEST": ("asks what was consumed", "询问使用情况"),
        "REFUND": ("refunded", "退款"), "REFUND_DECLINED": ("refused a refund", "拒绝退款"),
        "REFUND_REVERSED": ("took a refund back", "撤回退款"),
        "REVOKE": ("the family's access ended", "撤销家人共享"),
        "RESCIND_CONSENT": ("took a consent back", "撤回同意"),
        "EXTERNAL_PURCHASE_TOKEN": ("told of an external purchase", "外部购买"), "TEST": ("a test", "测试"),
    ]
    /// How Apple revokes.
    static let refunds = [
        "REFUND_FULL": ("in full", "全额"), "REFUND_PRORATED": ("in part", "部分"),
        "FAMILY_REVOKE": ("it is not shared any more", "不再共享"),
    ]
    /// What an order that nobody has paid waits for.
    static let payments = [
        "issued": ("not paid", "未付款"), "deferred": ("waits for a parent's approval", "等待家长批准"),
        "none": ("the ledger has not answered", "账本还没有回应"),
    ]
}
