import Hummingbird

/// `/_control/consumption`: what apps answered to consumption requests.
struct ConsumptionAnswersRoutes: Sendable {
    let store: SimulatedStore

    func add(to control: RouterGroup<SimulatorContext>) {
        control.get("consumption") { request, _ in
            let id = request.uri.queryParameters["transactionId"].map(String.init)
            return try Response.json(["answers": await store.consumption.answers(about: id)])
        }
    }
}
