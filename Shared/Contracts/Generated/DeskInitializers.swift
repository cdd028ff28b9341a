// Generated from the declarations of contracts by Tests/TidyTests/ContractCode.swift. To write it anew:
// swift -D GENERATE Tests/TidyTests/ContractCode.swift
//
// The compiler makes an initializer of the same members that other modules do not see. The last parameter,
// which no call names, tells the two apart.

extension AppleOrderAskV1 {
    package init(bundleId: BundleID, appleOrderId: AppleOrderID, _: Void = ()) {
        self.bundleId = bundleId
        self.appleOrderId = appleOrderId
    }
}

extension AppleOrderV1 {
    package init(
        state: State,
        askedAt: Timestamp? = nil,
        transactionIds: [TransactionID] = [],
        _: Void = ()
    ) {
        self.state = state
        self.askedAt = askedAt
        self.transactionIds = transactionIds
    }
}

extension DeskListV1 {
    package init(list: DeskList, before: Timestamp?, after: DeskPage.Place?, limit: Int, _: Void = ()) {
        self.list = list
        self.before = before
        self.after = after
        self.limit = limit
    }
}

extension DeskPage {
    package init(rows: [Row], hasMore: Bool, _: Void = ()) {
        self.rows = rows
        self.hasMore = hasMore
    }
}

extension DeskPage.Place {
    package init(since: Timestamp, key: String, _: Void = ()) {
        self.since = since
        self.key = key
    }
}

extension DeskPage.Holder {
    package init(buyerId: BuyerID, sign: Sign, _: Void = ()) {
        self.buyerId = buyerId
        self.sign = sign
    }
}

extension DeskPage.Row {
    package init(
        kind: DeskPage.Kind,
        place: DeskPage.Place,
        bundleId: BundleID,
        environment: Environment? = nil,
        orderId: OrderID? = nil,
        purchaseId: PurchaseID? = nil,
        receiptId: ReceiptID? = nil,
        buyerId: BuyerID? = nil,
        productId: ProductID? = nil,
        quantity: Int? = nil,
        price: Int64? = nil,
        currency: String? = nil,
        proposalId: ProposalID? = nil,
        proposedBy: OperatorID? = nil,
        basis: CompensationBasis.Kind? = nil,
        appleOrderId: AppleOrderID? = nil,
        transactionIds: [TransactionID]? = nil,
        holderId: BuyerID? = nil,
        reason: String? = nil,
        attempts: Int? = nil,
        behind: Int? = nil,
        next: Timestamp? = nil,
        account: String? = nil,
        holders: [DeskPage.Holder] = [],
        _: Void = ()
    ) {
        self.kind = kind
        self.place = place
        self.bundleId = bundleId
        self.environment = environment
        self.orderId = orderId
        self.purchaseId = purchaseId
        self.receiptId = receiptId
        self.buyerId = buyerId
        self.productId = productId
        self.quantity = quantity
        self.price = price
        self.currency = currency
        self.proposalId = proposalId
        self.proposedBy = proposedBy
        self.basis = basis
        self.appleOrderId = appleOrderId
        self.transactionIds = transactionIds
        self.holderId = holderId
        self.reason = reason
        self.attempts = attempts
        self.behind = behind
        self.next = next
        self.account = account
        self.holders = holders
    }
}

extension FactsFindV1 {
    package init(texts: [String], bundleIds: [BundleID], accounts: [String] = [], _: Void = ()) {
        self.texts = texts
        self.bundleIds = bundleIds
        self.accounts = accounts
    }
}

extension FoundFacts {
    package init(
        facts: [DeskFact] = [],
        related: [String] = [],
        buyers: [AccountBuyer] = [],
        isCut: Bool = false,
        _: Void = ()
    ) {
        self.facts = facts
        self.related = related
        self.buyers = buyers
        self.isCut = isCut
    }
}

extension FoundFacts.AccountBuyer {
    package init(
        account: String,
        bundleId: BundleID,
        environment: Environment,
        buyerId: BuyerID,
        _: Void = ()
    ) {
        self.account = account
        self.bundleId = bundleId
        self.environment = environment
        self.buyerId = buyerId
    }
}
