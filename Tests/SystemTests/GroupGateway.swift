import Contracts
import Domain
import Foundation
import TestKit

@testable import Delivery

/// What a request of the simulated edge is for.
enum GroupPurpose: Equatable {
    case issue(Int)
    case close(Int)
    case register(plan: Int, number: Int)
    case submit(Int)
    case ask(Int)
    case retry(PartitionAddress, after: [String]?)
    /// An operator has every current state sent again on a link of this partition.
    case redrive(PartitionAddress)
    /// The last question about a receipt, when everything is at rest.
    case finalVerdict(ReceiptID)
}

/// The requests that nobody has answered yet, as the gateway keeps them.
struct GroupGateway {
    struct Pending {
        let purpose: GroupPurpose
        let address: PartitionAddress
        let message: WireMessage
        let deadline: Int64
        var pause: Int64
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
    func ask<Question: RequestContract>(
        _ purpose: GroupPurpose,
        _ question: Question,
        of address: PartitionAddress,
        within timeout: Int64 = GroupGateway.timeout
    ) {
        let identifier = gateway.nextIdentifier()
        let event = Event(
            id: EventID(unchecked: identifier),
            source: "/gateway",
            time: moment.now,
            subject: "-",
            data: question
        )
        let message = WireMessage(
            WireHeader(request: .init(id: identifier, within: timeout)),
            body: [bytes(event)]
        )
        gateway.pending[identifier] = GroupGateway.Pending(
            purpose: purpose,
            address: address,
            message: message,
            deadline: now + timeout,
            pause: GroupGateway.firstPause
        )
        send(.message(message, to: address, from: nil, connection: GroupGateway.connection))
        schedule(.again(identifier), at: now + GroupGateway.firstPause)
        if variant == .acknowledgesEarly, case .submit(let submission) = purpose, random.happens(perMille: 30)
        {
            acknowledgeEarly(submission, identifier)
        }
    }

    func ask(_ purpose: GroupPurpose, _ question: VerdictWaitV1, _ receipt: ReceiptID) {
        let partition = receipt.shard.partition(of: GroupWorld.partitions)
        ask(
            purpose,
            question,
            of: PartitionAddress(.notifications, partition),
            within: Int64(question.wait) + GroupGateway.timeout
        )
    }

    func bytes(_ event: some Encodable) -> [UInt8] {
        do {
            return [UInt8](try EventCoder.encoder().encode(event))
        } catch {
            fail("no JSON: \(error)")
            return []
        }
    }

    func askAgain(_ identifier: String) {
        guard var pending = gateway.pending[identifier] else { return }
        guard now < pending.deadline else {
            gateway.pending[identifier] = nil
            return unanswered(pending.purpose)
        }
        send(
            .message(pending.message, to: pending.address, from: nil, connection: GroupGateway.connection)
        )
        schedule(.again(identifier), at: min(now + pending.pause, pending.deadline))
        pending.pause *= 2
        gateway.pending[identifier] = pending
    }

    func receive(_ message: WireMessage) {
        guard let reply = message.header.reply, let pending = gateway.pending.removeValue(forKey: reply.id)
        else {
            return
        }
        log("reply to \(pending.purpose): \(reply.refused?.detail ?? "") \(text(message.body.first))")
        if let refusal = reply.refused { return refused(pending.purpose, refusal) }
        do {
            try answered(pending.purpose, Data(message.body.first ?? []))
        } catch {
            fail("a reply to \(pending.purpose) was not understood: \(error)")
        }
    }

    private func text(_ body: [UInt8]?) -> String { String(decoding: body ?? [], as: UTF8.self) }

    private func answered(_ purpose: GroupPurpose, _ reply: Data) throws {
        let decoder = JSONDecoder()
        switch purpose {
        case .issue(let order):
            script.orders[order].id = try decoder.decode(OrderV1.self, from: reply).orderId
            if script.orders[order].closes { prepare(.close(order)) } else { prepared(order) }
        case .close(let order):
            script.orders[order].isClosed = true
            prepared(order)
        case .register(let plan, _):
            if script.finishPreparation(of: plan) { start(plan) }
        case .submit(let submission):
            acknowledge(submission, try decoder.decode(ReceiptSubmittedV1.self, from: reply).receiptId)
        case .ask(let submission):
            receiveVerdict(try decoder.decode(ReceiptVerdictV1.self, from: reply), submission)
        case .retry(let address, _):
            let page = try decoder.decode(RetryPage.self, from: reply)
            if let next = page.next { retry(at: address, after: next) }
        case .redrive: break
        case .finalVerdict(let receipt):
            let verdict = try decoder.decode(ReceiptVerdictV1.self, from: reply)
            finalVerdicts[receipt.rawValue] = verdict
        }
    }

    private func refused(_ purpose: GroupPurpose, _ refusal: RequestRefusal) {
        if refusal.code == .busy { return unanswered(purpose) }
        if case .close(let order) = purpose, refusal.code == .conflict { return prepared(order) }
        fail("\(purpose) was refused: \(refusal)")
    }

    /// Nobody knows what became of the request; whoever made it makes it again.
    private func unanswered(_ purpose: GroupPurpose) {
        if hasFaults { fault(.unanswered) }
        let time = now + random.within(100...900)
        switch purpose {
        case .submit(let submission):
            if hasFaults, random.happens(perMille: 500) {
                fault(.phoneDies)
                script.submissions[submission].isDead = true
            } else {
                schedule(.submit(submission), at: time)
            }
        case .ask(let submission): schedule(.ask(submission), at: time)
        // The next round of the operator finds the link where it is.
        case .redrive: break
        case .issue, .close, .register, .retry, .finalVerdict: schedule(.prepare(purpose), at: time)
        }
    }

    // MARK: Preparation

    func prepare(_ plan: Int) {
        for order in script.plans[plan].orders { prepare(.issue(order)) }
        for number in script.plans[plan].registrations.indices {
            prepare(.register(plan: plan, number: number))
        }
        if script.plans[plan].missing == 0 { start(plan) }
    }

    func prepare(_ purpose: GroupPurpose) {
        switch purpose {
        case .issue(let order): issue(order)
        case .close(let order): close(order)
        case .register(let plan, let number): register(plan, number)
        case .retry(let address, let after): retry(at: address, after: after)
        case .submit(let submission): submit(submission)
        case .ask(let submission): ask(submission)
        case .redrive: break
        case .finalVerdict(let receipt):
            ask(purpose, VerdictWaitV1(bundleId: GroupWorld.app, receiptId: receipt, wait: 0), receipt)
        }
    }

    private func issue(_ number: Int) {
        let order = script.orders[number]
        let request = OrderIssueV1(
            bundleId: GroupWorld.app,
            buyerId: order.buyer,
            productId: order.product.id,
            quantity: order.quantity,
            environment: order.environment,
            idempotencyKey: "key-\(number)"
        )
        ask(.issue(number), request, of: partition(.orders, of: order.buyer))
    }

    private func close(_ number: Int) {
        guard let id = script.orders[number].id else {
            return fail("an order without an id was to be closed")
        }
        ask(
            .close(number),
            OrderCloseV1(bundleId: GroupWorld.app, orderId: id, reason: .cancelled),
            of: PartitionAddress(.orders, id.shard.partition(of: GroupWorld.partitions))
        )
    }

    private func register(_ plan: Int, _ number: Int) {
        let (token, buyer) = script.plans[plan].registrations[number]
        guard let uuid = UUID(uuidString: token) else { return fail("\(token) is no UUID") }
        let partition = PartitionKey.token(uuid).shard.partition(of: GroupWorld.partitions)
        ask(
            .register(plan: plan, number: number),
            TokenRegisterV1(bundleId: GroupWorld.app, appAccountToken: token, buyerId: buyer),
            of: PartitionAddress(.orders, partition)
        )
    }

    private func prepared(_ order: Int) {
        let plan = script.orders[order].plan
        if script.finishPreparation(of: plan) { start(plan) }
    }

    private func start(_ plan: Int) {
        for submission in script.plans[plan].submissions {
            schedule(.submit(submission), at: now + script.submissions[submission].delay)
        }
        for statement in script.plans[plan].statements {
            schedule(.state(statement), at: now + script.statements[statement].delay)
        }
    }

    /// Has a partition judge again what waits for an operator, page by page.
    func retry(at address: PartitionAddress, after: [String]? = nil) {
        if hasFaults { fault(.operatorRetry) }
        let purpose = GroupPurpose.retry(address, after: after)
        switch address.service {
        case .entitlements: ask(purpose, GrantRetryV1(after: after), of: address)
        case .receipts: ask(purpose, ReceiptRetryV1(after: after), of: address)
        case .orders, .notifications: fail("\(address) has nothing to retry")
        }
    }

    func partition(_ service: ServiceName, of buyer: BuyerID) -> PartitionAddress {
        let shard = PartitionKey.buyer(buyer, of: GroupWorld.app).shard
        return PartitionAddress(service, shard.partition(of: GroupWorld.partitions))
    }
}
