package import Contracts

/// Pages of what waits, of all partitions together.
package struct DeskLists<Asker: DeskAsker>: Sendable {
    /// A page, and which partitions did not answer.
    package struct Listed: Sendable {
        package var rows: [DeskPage.Row]
        /// Where the next page begins, which has nothing of what was missed before it; nil of the last one.
        package var next: DeskPage.Place?
        package var missed: Set<PartitionAddress>
    }

    private let asker: Asker

    package init(_ asker: Asker) { self.asker = asker }

    /// A page of a list, those first that have waited longest; an orphan names who has bought with its account, and a
    /// compensation its purchase.
    ///
    /// A page of `held` may be short, or empty, though another one follows: what is no longer contested is left out
    /// once the rows are read, because only Receipts know whose a purchase is.
    package func page(_ request: DeskListV1) async -> Listed {
        let services = Self.services(of: request.list)
        let addresses = asker.everywhere.filter { services.contains($0.service) }
        let answers = await asker.answers(to: request, of: addresses)
        var listed = Self.merged(answers.replies, limit: request.limit)
        listed.missed = answers.missed
        if request.list == .orphans { await nameHolders(of: &listed) }
        if [.proposals, .held].contains(request.list) { await namePurchases(of: &listed) }
        return listed
    }

    /// Whose partitions have rows of a list.
    package static func services(of list: DeskList) -> [ServiceName] {
        switch list {
        case .orphans: [.receipts]
        case .parked, .held: [.receipts, .entitlements]
        case .open: [.orders]
        case .undelivered: [.notifications]
        case .proposals: [.receipts, .entitlements]
        }
    }

    /// The first rows of all pages; others follow if a page has more of them, or had to give some up.
    package static func merged(_ pages: [DeskPage], limit: Int) -> Listed {
        let all = pages.flatMap(\.rows).sorted { $0.place < $1.place }
        let rows = Array(all.prefix(limit))
        let hasMore = all.count > limit || pages.contains(where: \.hasMore)
        return Listed(rows: rows, next: hasMore ? rows.last?.place : nil, missed: [])
    }

    private func nameHolders(of listed: inout Listed) async {
        let accounts = Set(listed.rows.compactMap(\.account)).sorted()
        guard !accounts.isEmpty else { return }
        let question = FactsFindV1(texts: [], bundleIds: [], accounts: accounts)
        let addresses = asker.everywhere.filter { $0.service == .receipts }
        let answers = await asker.answers(to: question, of: addresses)
        listed.missed.formUnion(answers.missed)
        let buyers = answers.replies.flatMap(\.buyers)
        for index in listed.rows.indices {
            let row = listed.rows[index]
            let found = buyers.filter {
                $0.account == row.account && $0.bundleId == row.bundleId && $0.environment == row.environment
            }
            let holders = found.map { DeskPage.Holder(buyerId: $0.buyerId, sign: .account) }
            listed.rows[index].holders = DeskHolders.ranked(row.holders + holders)
        }
    }
    /// Names beside a compensation on an order of Apple's its purchase and who has that, where somebody but its buyer
    /// has, or nobody; a contested one of which nothing of this is known is left out.
    private func namePurchases(of listed: inout Listed) async {
        let names = Set(listed.rows.filter(\.isOfCompensation).flatMap { $0.transactionIds ?? [] }).sorted()
        guard !names.isEmpty else { return }
        let addresses = asker.everywhere.filter { $0.service == .receipts }
        var (facts, isComplete): ([DeskFact], Bool) = ([], true)
        for start in stride(from: 0, to: names.count, by: FactsFindV1.maximumTexts) {
            let texts = names[start...].prefix(FactsFindV1.maximumTexts).map(\.rawValue)
            let answers = await asker.answers(to: FactsFindV1(texts: texts, bundleIds: []), of: addresses)
            listed.missed.formUnion(answers.missed)
            isComplete = isComplete && answers.missed.isEmpty
            facts += answers.replies.flatMap(\.facts)
        }
        listed.rows = listed.rows.compactMap { row in
            guard row.isOfCompensation, row.transactionIds != nil else { return row }
            let named = row.naming(facts)
            let isLeftOut = row.kind == .contestedCompensation && named.purchaseId == nil && isComplete
            return isLeftOut ? nil : named
        }
    }
}

extension DeskPage.Row {
    fileprivate var isOfCompensation: Bool { [.proposedCompensation, .contestedCompensation].contains(kind) }

    /// The compensation with the purchase of its order, where another buyer or nobody has it.
    fileprivate func naming(_ facts: [DeskFact]) -> DeskPage.Row {
        let transactions = transactionIds ?? []
        let states = facts.filter { fact in
            [.held, .orphan].contains(fact.kind) && fact.bundleId == bundleId
                && fact.environment == environment
                && transactions.contains { $0 == fact.transactionId || PurchaseID($0) == fact.purchaseId }
                && (transactions.count == 1 || fact.productId == productId)
        }
        guard let state = states.first(where: { $0.kind == .orphan || $0.buyerId != buyerId }) else {
            return self
        }
        var named = self
        named.purchaseId = state.purchaseId
        named.holderId = state.kind == .held ? state.buyerId : nil
        return named
    }
}

/// Who has probably bought an orphan: each buyer once, by the strongest sign.
package enum DeskHolders {
    /// The strongest first.
    package static func ranked(_ holders: [DeskPage.Holder]) -> [DeskPage.Holder] {
        let signs = DeskPage.Holder.Sign.allCases
        var named: Set<BuyerID> = []
        let sorted = holders.sorted { left, right in
            let ranks = (signs.firstIndex(of: left.sign) ?? 0, signs.firstIndex(of: right.sign) ?? 0)
            return ranks.0 == ranks.1 ? left.buyerId < right.buyerId : ranks.0 < ranks.1
        }
        return sorted.filter { named.insert($0.buyerId).inserted }
    }
}
