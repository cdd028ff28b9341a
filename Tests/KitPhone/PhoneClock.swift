import CounterfoilClient
import NIOConcurrencyHelpers

/// The time of the events: it stands still between them.
final class PhoneClock: PurchaseClock {
    private struct State {
        var now: Int64 = 0
        var number = 0
        /// Who waits, and until when.
        var waiting: [Int: (due: Int64, waiter: CheckedContinuation<Void, Never>)] = [:]
    }

    private let state = NIOLockedValueBox(State())

    func now() -> Int64 { state.withLockedValue { $0.now } }

    /// Returns as soon as an event comes that late.
    func pause(milliseconds: Int64) async {
        let number = state.withLockedValue { state in
            state.number += 1
            return state.number
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isOver = state.withLockedValue { state in
                    if milliseconds <= 0 || Task.isCancelled { return true }
                    state.waiting[number] = (state.now + milliseconds, waiter)
                    return false
                }
                if isOver { waiter.resume() }
            }
        } onCancel: {
            let waiter = state.withLockedValue { $0.waiting.removeValue(forKey: number)?.waiter }
            waiter?.resume()
        }
    }

    /// It is as late as this, in ms since 1970.
    func advance(to time: Int64) {
        let due = state.withLockedValue { state in
            state.now = max(state.now, time)
            let due = state.waiting.filter { $0.value.due <= state.now }.sorted {
                $0.value.due < $1.value.due
            }
            for (number, _) in due { state.waiting[number] = nil }
            return due.map(\.value.waiter)
        }
        for waiter in due { waiter.resume() }
    }
}
