import Contracts
import Domain
import Foundation
import TestKit

@testable import Delivery

/// The requests that nobody has answered yet, as the gateway keeps them.
struct GroupGateway {
    struct Pending {
        let type: EventType
        let address: PartitionAddress
        let message: WireMessage
        let deadline: Int64
        var pause: Int64
        /// Makes the request again when nobody knows what became of it.
        let again: ((GroupSimulation) -> Void)?
        let answered: (GroupSimulation, Data) throws -> Void
        /// What a conflict means that may be.
        let conflicted: ((GroupSimulation, RequestRefusal) -> Void)?
        /// The number of the submission whose phone asks for the verdict.
        let submission: Int?
    }

    /// The timeout of a request, in ms.
    static let timeout: Int64 = 3_000
    /// The pause before the first repetition, in ms.
    static let firstPause: Int64 = 250
    static let connection = Array("gateway".utf8)

    var pending: [String: Pending] = [:]
    private var count = 0

    mutating func nextIdentifier() -> String {
        count += 1
        return "request-\(count)"
    }
}

extension GroupSimulation {
    /// Asks a partition; repeats the very same event until it is answered or times out.
    @discardableResult
    func ask<Question: RequestContract>(
        _ question: Question,
        of address: PartitionAddress,
        within timeout: Int64 = GroupGateway.timeout,
        submission: Int? = nil,
        again: ((GroupSimulation) -> Void)?,
        conflicted: ((GroupSimulation, RequestRefusal) -> Void)? = nil,
        answered: @escaping (GroupSimulation, Question.Reply) -> Void
    ) -> String {
        let identifier = gateway.nextIdentifier()
        let event = Event(
            id: EventID(unchecked: identifier),
            source: "/gateway",
            time: moment.now,
            subject: "-",
            data: question
        )
        let header = WireHeader(request: .init(id: identifier, to: address, within: timeout))
        gateway.pending[identifier] = GroupGateway.Pending(
            type: Question.type,
            address: address,
            message: WireMessage(header, body: [bytes(event)]),
            deadline: now + timeout,
            pause: GroupGateway.firstPause,
            again: again,
            answered: { answered($0, try JSONDecoder().decode(Question.Reply.self, from: $1)) },
            conflicted: conflicted,
            submission: submission
        )
        send(identifier)
        return identifier
    }

    /// Asks how a submission stands.
    func askForVerdict(
        _ question: VerdictWaitV1,
        submission: Int? = nil,
        again: @escaping (GroupSimulation) -> Void,
        answered: @escaping (GroupSimulation, ReceiptVerdictV1) -> Void
    ) {
        let partition = question.receiptId.shard.partition(of: GroupWorld.partitions)
        ask(
            question,
            of: PartitionAddress(.notifications, partition),
            within: Int64(question.wait) + GroupGateway.timeout,
            submission: submission,
            again: again,
            answered: answered
        )
    }

    func bytes(_ event: some Encodable) -> [UInt8] {
        attempt("no JSON", else: []) { [UInt8](try EventCoder.encoder().encode(event)) }
    }

    /// Sends a request unless it was answered or its time is over, and checks on it later.
    private func send(_ identifier: String) {
        guard var pending = gateway.pending[identifier] else { return }
        guard now < pending.deadline else {
            gateway.pending[identifier] = nil
            return repeatUnanswered(pending)
        }
        send(
            .message(pending.message, to: pending.address, from: nil, connection: GroupGateway.connection)
        )
        schedule(after: min(pending.pause, pending.deadline - now), isTimer: true) { $0.send(identifier) }
        pending.pause *= 2
        gateway.pending[identifier] = pending
    }

    func receive(_ message: WireMessage) {
        guard let reply = message.header.reply, let pending = gateway.pending.removeValue(forKey: reply.id)
        else {
            return
        }
        let body = Data(message.body.first ?? [])
        log(
            "reply to \(pending.type): \(reply.refused?.detail ?? "") \(String(decoding: body, as: UTF8.self))"
        )
        attempt("a reply to \(pending.type) was not understood", else: ()) {
            switch (reply.refused, pending.conflicted) {
            case (nil, _): try pending.answered(self, body)
            case (let refusal?, _) where refusal.code == .busy: repeatUnanswered(pending)
            case (let refusal?, let conflicted?) where refusal.code == .conflict: conflicted(self, refusal)
            case (let refusal?, _): fail("\(pending.type) was refused: \(refusal)")
            }
        }
    }

    /// Nobody knows what became of the request; whoever made it makes it again.
    private func repeatUnanswered(_ request: GroupGateway.Pending) {
        if hasFaults { fault(.unanswered) }
        if let again = request.again { schedule(after: random.within(100...900), again) }
    }

    // MARK: Preparation

    /// Makes all orders and registrations; a plan begins when its own are made.
    func prepare() {
        for order in script.orders.indices { issue(order) }
        for number in script.registrations.indices { register(number) }
        for plan in 1...script.plans { startIfReady(plan) }
    }

    private func issue(_ number: Int) {
        let order = script.orders[number]
        let request = OrderIssueV1(
            bundleId: GroupWorld.app,
            buyerId: order.buyer,
            productId: order.product.id,
            quantity: order.quantity,
            environment: GroupOrder.environment,
            idempotencyKey: "key-\(number)",
            metadata: order.isLargest ? GroupOrder.largestMetadata : nil
        )
        ask(request, of: partition(.orders, of: order.buyer)) {
            $0.issue(number)
        } answered: {
            $0.script.orders[number].id = $1.orderId
            if order.closes { $0.close(number, $1.orderId) } else { $0.finishPreparing(number) }
        }
    }

    private func close(_ number: Int, _ id: OrderID) {
        ask(
            OrderCloseV1(bundleId: GroupWorld.app, orderId: id, reason: .cancelled),
            of: PartitionAddress(.orders, id.shard.partition(of: GroupWorld.partitions)),
            again: { $0.close(number, id) },
            conflicted: { simulation, _ in simulation.finishPreparing(number) }
        ) { simulation, _ in
            simulation.script.orders[number].isClosed = true
            simulation.finishPreparing(number)
        }
    }

    private func finishPreparing(_ order: Int) {
        script.orders[order].isReady = true
        startIfReady(script.orders[order].plan)
    }

    private func register(_ number: Int) {
        let registration = script.registrations[number]
        let request = TokenRegisterV1(
            bundleId: GroupWorld.app,
            appAccountToken: registration.token.uuidString.lowercased(),
            buyerId: registration.buyer
        )
        guard let owner = request.route.owner(of: GroupWorld.partitions) else { return }
        ask(request, of: owner) {
            $0.register(number)
        } answered: { simulation, _ in
            simulation.script.registrations[number].isReady = true
            simulation.startIfReady(registration.plan)
        }
    }

    private func startIfReady(_ plan: Int) {
        guard script.isReady(plan) else { return }
        for (number, submission) in script.submissions.enumerated()
        where submission.plan == plan && !submission.isMonthLater {
            schedule(after: submission.delay) { $0.submit(number) }
        }
        for (number, statement) in script.statements.enumerated()
        where statement.plan == plan && !statement.isMonthLater {
            schedule(after: statement.delay) { $0.state(number) }
        }
        for (number, action) in script.walletActions.enumerated() where action.plan == plan {
            schedule(after: action.delay) { $0.act(number) }
        }
        for (number, compensation) in script.compensations.enumerated() where compensation.plan == plan {
            schedule(after: compensation.delay) { $0.compensate(number) }
        }
        for (number, assignment) in script.assignments.enumerated() where assignment.plan == plan {
            schedule(after: assignment.delay) { $0.assign(number) }
        }
        for (number, purchase) in script.externalPurchases.enumerated() where purchase.plan == plan {
            schedule(after: purchase.delay) { $0.tell(ofExternalPurchase: number) }
        }
    }

    /// Has a partition judge again what waits for an operator, page by page.
    func retry(at address: PartitionAddress, after: [String]? = nil) {
        if hasFaults { fault(.operatorRetry) }
        switch address.service {
        case .entitlements: retry(GrantRetryV1(after: after), at: address, after: after)
        case .receipts: retry(ReceiptRetryV1(after: after), at: address, after: after)
        case .orders, .notifications: fail("\(address) has nothing to retry")
        }
    }

    private func retry<Question: RequestContract>(
        _ question: Question,
        at address: PartitionAddress,
        after: [String]?
    ) where Question.Reply == RetryPage {
        ask(question, of: address) {
            $0.retry(at: address, after: after)
        } answered: {
            if let next = $1.next { $0.retry(at: address, after: next) }
        }
    }

    func partition(_ service: ServiceName, of buyer: BuyerID) -> PartitionAddress {
        let shard = PartitionKey.buyer(buyer, of: GroupWorld.app).shard
        return PartitionAddress(service, shard.partition(of: GroupWorld.partitions))
    }
}
