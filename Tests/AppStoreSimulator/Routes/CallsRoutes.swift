import HTTPTypes
import Hummingbird

/// `/_control/calls`: how often Apple's side was asked what, second by second.
struct CallsRoutes: Sendable {
    let store: SimulatedStore

    func add(to control: RouterGroup<SimulatorContext>) {
        control.get("calls") { _, _ in try Response.json(["calls": await store.calls.lines]) }
    }
}
