import Database

extension LogFault {
    /// A fault of a call outside of `append`.
    init(_ fault: SessionFault) {
        switch fault {
        case .silent(let why): self = .unreachable(why)
        case .weak, .foreign: self = .refused(fault.text)
        case .server(let fault):
            switch fault.meaning {
            case .forbidden where fault.state == "42P01" || fault.state == "3F000":
                self = .unreadable("the database holds no log yet: \(fault.text)")
            case .forbidden: self = .refused(fault.text)
            case .undone, .elsewhere, .unsure: self = .unreachable(fault.text)
            }
        }
    }
}
