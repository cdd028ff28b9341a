import Contracts
import Database
import Delivery
import Domain

extension ReceiptsService {
    func redrive(
        to target: PartitionAddress,
        after key: [String],
        in context: HandlerContext
    ) throws -> RedrivePage {
        guard let cursor = RedriveCursor(key, for: target.service) else {
            throw StoreError.corrupt("the key of a redrive begins with its stage")
        }
        let redrive = ReceiptsRedrive(service: self, target: target, key: cursor.key, context: context)
        let page = try redrive.page(of: cursor.stage)
        let next = cursor.next(after: page.next, for: target.service)
        return RedrivePage(rows: page.rows, next: next?.columns ?? [])
    }
}

/// Sends every state again to a partition whose store was restored; receivers deduplicate by id and `signedDate`.
private struct ReceiptsRedrive {
    private static let claimsPerPage = 500
    /// Submissions or notifications per page; each proof is read again and may be large.
    private static let submissionsPerPage = 100
    /// Bytes of proofs per page, or one proof: reading must not outlast the heartbeat.
    private static let bytesPerPage = 4 << 20

    let service: ReceiptsService
    let target: PartitionAddress
    /// Of the last row that was sent of the stage; empty at its beginning.
    let key: [String]
    let context: HandlerContext

    /// The rows of one stage; it has ended where no key follows.
    func page(of stage: RedriveCursor.Stage) throws -> RedrivePage {
        switch stage {
        case .claims: try claims()
        case .appleOrders: try appleOrders()
        case .names: try names()
        case .answers: try answers()
        case .previousChains: try previousChains()
        case .previousAnswers: try previousAnswers()
        case .submissions: try submissions()
        case .serverNotifications: try serverNotifications()
        }
    }

    private func appleOrders() throws -> RedrivePage {
        let limit = Self.claimsPerPage
        let page = try AppleOrderStore(connection: context.connection).page(after: key, limit: limit)
        for wanted in page { try AppleOrders(context).tell(wanted, to: target) }
        return RedrivePage(page.map(\.columns), limit: limit)
    }

    private func names() throws -> RedrivePage {
        let limit = Self.claimsPerPage
        let page = try NameRegistrationStore(connection: context.connection).page(after: key, limit: limit)
        for record in page {
            let workflow = NameWorkflow(record.key, record.registration, in: context)
            try workflow.redrive(record.forwarded, to: target)
        }
        return RedrivePage(page.map(\.key.columns), limit: limit)
    }

    /// Answers again, in case the restored partition was a copy from before it heard.
    private func answers() throws -> RedrivePage {
        let limit = Self.claimsPerPage
        let page = try PurchaseNameStore(connection: context.connection).answers(after: key, limit: limit)
        for answer in page where context.owner(of: answer) == target { try context.send(answer) }
        return RedrivePage(page.map(\.columns), limit: limit)
    }

    private func previousChains() throws -> RedrivePage {
        let limit = Self.claimsPerPage
        let page = try PreviousChainStore(connection: context.connection).asked(after: key, limit: limit)
        for record in page { try PreviousChainWorkflow(record, in: context).redrive() }
        return RedrivePage(page.map(\.columns), limit: limit)
    }

    /// Tells again of the holders to whom a signed token has given a replaced chain.
    private func previousAnswers() throws -> RedrivePage {
        let limit = Self.claimsPerPage
        let page = try PreviousChainStore(connection: context.connection).questions(after: key, limit: limit)
        for answer in page.compactMap(\.answer) where answer.isSigned == true {
            if context.owner(of: answer) == target { try context.send(answer) }
        }
        return RedrivePage(page.map(\.asked.columns), limit: limit)
    }

    private func serverNotifications() throws -> RedrivePage {
        let limit = Self.submissionsPerPage
        let page = try ServerNotificationStore(connection: context.connection).page(
            .delivered,
            isUntransacted: target.service == .notifications,
            after: key.first ?? "",
            limit: limit
        )
        for record in page { try service.serverNotifications.redrive(record, to: target, in: context) }
        return RedrivePage(page.map { [$0.identifier] }, limit: limit)
    }

    private func submissions() throws -> RedrivePage {
        let page = try SubmissionStore(connection: context.connection).page(
            after: key.first,
            limit: Self.submissionsPerPage,
            bytes: Self.bytesPerPage
        )
        let workflow = service.submissions
        for record in page.records {
            let assessment = workflow.assess(record, now: context.now)
            if target.service == .notifications {
                // It is processed fully again, up to its verdict.
                try workflow.send(assessment, of: record, in: context)
            } else {
                let submission = record.submission(at: context.now)
                let inquiry = try workflow.historyInquiry(of: record, context)
                let verified = assessment.admitted.filter {
                    $0.facts.chainKey.address(in: .receipts, of: context.partitions) == target
                }
                .map { SubmissionPart.Statement.verified($0.verified(submission, inquiry)) }
                let parts = verified.parts(of: workflow.transactionsPerPart)
                try SubmissionParts(context).send(parts, of: record.receiptID)
            }
        }
        let last = page.records.last.map { [$0.receiptID.rawValue] } ?? []
        return RedrivePage(rows: page.records.count, next: page.isLast ? [] : last)
    }

    private func claims() throws -> RedrivePage {
        let limit = Self.claimsPerPage
        let page = try ClaimStore(connection: context.connection).page(after: key, limit: limit)
        for record in page {
            var workflow = ClaimWorkflow(record, in: context)
            if target.service == .orders {
                try workflow.redrive(to: target)
            } else {
                try SubscriptionRenewals(context).redrive(record, to: target)
                try workflow.redriveTransfers(to: target)
            }
        }
        return RedrivePage(page.map(\.key.columns), limit: limit)
    }
}
