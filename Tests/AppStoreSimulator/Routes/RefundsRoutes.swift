import Hummingbird

/// `/_control/refunds`: Apple pays a buyer back.
struct RefundsRoutes: Sendable {
    let store: SimulatedStore

    func add(to control: RouterGroup<SimulatorContext>) {
        control.post("refunds", use: refund)
    }

    @Sendable private func refund(_ request: Request, _ context: SimulatorContext) async throws -> Response {
        let wanted: RefundRequest = try await JSONBody.read(request)
        let event = PurchaseEvent.refund(reason: try wanted.validReason(), percentage: nil)
        let happening = try await store.register.perform(event, on: wanted.transactionId, at: store.now())
        return try .json(await SalesAnswer(happening, of: store, context.signature))
    }
}
