/// Why there is no answer.
enum SessionFault: Error, Hashable {
    /// The server has answered that it does not.
    case server(ServerFault)
    /// The connection is lost, or did not answer in time.
    case silent(String)
    /// The server is still at work on what was sent before; nothing was sent now.
    case busy
    /// The server may lose what it acknowledges.
    case weak(String)
    /// The server is none of this log, or lets its user not in.
    case foreign(String)

    var text: String {
        switch self {
        case .server(let fault): fault.text
        case .silent(let why), .foreign(let why): why
        case .busy: "the server is still at work on an earlier statement; perhaps it waits for its standby"
        case .weak(let why): "\(why); --allow-single takes it all the same"
        }
    }
}
